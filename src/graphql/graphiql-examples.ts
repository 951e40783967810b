/** The values that the examples contain, so that they can be run without a change. */
export interface ExampleValues {
  environmentId: string;
  apiKey: string;
  programId: string;
  /** A member who is enrolled in the program. */
  externalCustomerId: string;
  /** A reward that this member has enough points for. */
  rewardId: string;
}

/**
 * Stands in an example for an id that the page makes anew for each run: a key that was used replays the first answer.
 */
export const FRESH = '{fresh}';

/** What the examples contain where there is no demo: each says what goes there. */
const placeholders: ExampleValues = {
  environmentId: '<id of a Sandbox: rewards env list>',
  apiKey: '<API key of it: rewards key issue>',
  programId: '<id of a program>',
  externalCustomerId: '<id of an enrolled member>',
  rewardId: '<id of a reward>',
};

/** The headers of every example, as the text that the page shows. @param demo null where there is no demo */
export function exampleHeaders(demo: ExampleValues | null): string {
  const { apiKey, environmentId } = demo ?? placeholders;
  return JSON.stringify({ Authorization: `Bearer ${apiKey}`, 'X-Environment': environmentId }, null, 2);
}

type Literals = Readonly<Record<'programId' | 'externalCustomerId' | 'rewardId', string>>;

// The values are literals in the documents, because GraphiQL cannot preset the variables of its first tab.
const member = ({ externalCustomerId }: Literals): string => `# A member with tier and balances.
query Member {
  member(externalCustomerId: ${externalCustomerId}) {
    requestId
    member { id displayName status consentStatus }
    programs {
      programId
      tier
      balances { available pending reserved }
    }
  }
}
`;

const purchase = ({ programId, externalCustomerId }: Literals): string => `# Points for a purchase.
# Run it twice: the second answer is the
# first one again, with idempotent: true.
mutation Purchase {
  purchaseEarn(input: {
    idempotencyKey: "graphiql-order-1"
    programId: ${programId}
    externalCustomerId: ${externalCustomerId}
    amountMinor: 1250
    channel: web
    sourceReference: "graphiql-order-1"
  }) {
    id
    status
    requestId
    idempotent
    award { points basePoints campaignPoints }
    ruleDecisions { id matched reason points }
  }
}
`;

const transactions = ({
  externalCustomerId,
}: Literals): string => `# What moved the member's points, newest first.
# Debits and credits are equal in each.
query Transactions {
  transactions(
    filter: { externalCustomerId: ${externalCustomerId} }
    limit: 5
  ) {
    requestId
    data {
      id
      eventType
      sourceReference
      points
      createdAt
      entries { account direction points }
    }
    page { nextCursor hasMore }
  }
}
`;

const returned = (): string => `# A return of 5.00 of the 12.50 of the purchase.
# Run the purchase first.
mutation Return {
  recordReturn(input: {
    idempotencyKey: "graphiql-return-1"
    sourceReference: "graphiql-order-1"
    returnReference: "graphiql-return-1"
    returnAmountMinor: 500
  }) {
    id
    status
    requestId
    idempotent
    return { pointsClawedBack shortfall }
  }
}
`;

const redemption = ({
  programId,
  externalCustomerId,
  rewardId,
}: Literals): string => `# A redemption in three steps: the run button
# asks for the step. First, a quote: the price.
# ${FRESH} is another id in each run.
mutation Redemption {
  quoteRedemption(input: {
    idempotencyKey: "graphiql-quote-${FRESH}"
    programId: ${programId}
    externalCustomerId: ${externalCustomerId}
    rewardId: ${rewardId}
    sourceReference: "graphiql-checkout-1"
  }) {
    requestId
    quote { id state points expiresAt }
  }
}

# Second, a reservation: it holds the points
# until it is committed, released or expires.
mutation Reserve {
  reserveRedemption(input: {
    idempotencyKey: "graphiql-reserve-${FRESH}"
    quoteId: "<id of the quote>"
  }) {
    requestId
    reservation { id state points expiresAt }
  }
}

# Third, a commit: it spends them.
mutation Commit {
  commitRedemption(input: {
    idempotencyKey: "graphiql-commit-${FRESH}"
    reservationId: "<id of the reservation>"
    authorizationReference: "graphiql-checkout-1"
  }) {
    requestId
    reservation { id state points transactionId }
  }
}
`;

const close = ({ programId }: Literals): string => `# The books from the first of this month until now.
# Provisional until a second person has approved:
# rewards finance approve
query Close {
  ledgerClose(programId: ${programId}) {
    requestId
    reportId
    status
    period { from to }
    controls { id expected found passed }
    evidenceHash
  }
}
`;

/** The documents of the page's tabs, in order. @param demo null where there is no demo: there are placeholders then */
export function exampleDocuments(demo: ExampleValues | null): string[] {
  const values = demo ?? placeholders;
  const literals: Literals = {
    programId: JSON.stringify(values.programId),
    externalCustomerId: JSON.stringify(values.externalCustomerId),
    rewardId: JSON.stringify(values.rewardId),
  };
  const toFillIn = demo ? '' : '# Before you run it, replace each <…>,\n# here and in the Headers below.\n';
  const examples = [member, purchase, transactions, returned, redemption, close];
  return examples.map((example) => toFillIn + example(literals));
}
