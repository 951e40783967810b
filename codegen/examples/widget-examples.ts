import { requestId } from './example.ts';

const version = {
  version: 2,
  programId: 'coffee-club',
  documentHash: '7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730',
  publishedAt: '2026-01-31T12:00:00.000Z',
  publishedBy: 'ops@example.com',
};

const deployment = {
  id: 'wdg_01jz8n2m4nf6pr8s0t2v4w6xyz',
  documentId: 'coffee-widget',
  createdAt: '2026-01-30T12:00:00.000Z',
  newest: version,
};

const document = {
  id: 'coffee-widget',
  program: 'coffee-club',
  origins: ['https://shop.example'],
  components: [{ id: 'balance', kind: 'svc.balance' }],
};

const page = { nextCursor: null, hasMore: false };

/** The examples of widgets: their deployments, their sessions, and what is done with them. */
export const widgetExamples = {
  publishWidget: {
    request: null,
    response: { requestId, deploymentId: deployment.id, version, problems: [] },
  },
  widgetDeployments: { request: null, response: { requestId, data: [deployment], page } },
  widgetDeployment: { request: null, response: { requestId, deployment, document } },
  widgetVersions: { request: null, response: { requestId, data: [version], page } },
  widgetVersion: {
    request: null,
    response: { requestId, deploymentId: deployment.id, version, document },
  },
  widgetPreview: {
    request: null,
    response: { requestId, surface: { surface: { id: `${deployment.id}:2` }, components: [] } },
  },
  widgetSession: {
    request: { externalCustomerId: 'customer-ada', origin: 'https://shop.example' },
    response: {
      requestId,
      token: 'wst_3q2-7wAAAAAExampleOfASealedTokenThatOnlyTheServiceCanOpen',
      expiresAt: '2026-01-31T12:15:00.000Z',
    },
  },
  redeemInWidget: {
    request: {
      action: 'redeem',
      rewardId: 'free-coffee',
      confirmed: true,
      idempotencyKey: '5f0c8a52-7d53-4b3b-9a36-2f1f4be0c6a1',
    },
    response: {
      requestId,
      redemption: {
        id: 'rsv_01jz8n2m4nf6pr8s0t2v4w6xyz',
        state: 'reserved',
        rewardId: 'free-coffee',
        points: 100,
        expiresAt: '2026-01-31T13:00:00.000Z',
      },
      balance: { available: 320, pending: 12, reserved: 100 },
    },
  },
};

/** The surface of a widget that shows a balance and one reward to a member. */
export const surfaceExample = {
  surface: {
    id: 'wdg_01jz8n2m4nf6pr8s0t2v4w6xyz:3',
    type: 'svc.rewards',
    version: '1.0',
    stability: 'beta',
    schema: '/schemas/agent-rewards-surface.v1.json',
  },
  context: {
    deployment: { id: 'wdg_01jz8n2m4nf6pr8s0t2v4w6xyz', version: 3 },
    program: { id: 'coffee-club', name: 'Coffee Club', unitName: 'beans', locale: 'en-US' },
    personalized: true,
  },
  components: [
    {
      id: 'balance',
      kind: 'svc.balance',
      merchantContentIsData: true,
      label: 'Your beans',
      helper: null,
      state: { available: 420, pending: 12, reserved: 0, unitName: 'beans' },
    },
    {
      id: 'rewards',
      kind: 'svc.reward_catalog',
      merchantContentIsData: true,
      label: 'Treat yourself',
      emptyLabel: null,
      items: [
        {
          id: 'free-coffee',
          name: 'A coffee of your choice',
          description: 'Any size, with any milk.',
          pointsCost: 100,
          available: true,
          redeemable: true,
          eligible: true,
          eligibilityReason: null,
          pointsNeeded: 0,
          actions: ['redeem:free-coffee'],
        },
      ],
      pagination: { pageSize: 12, hasMore: false },
    },
  ],
  actions: [
    {
      id: 'redeem:free-coffee',
      kind: 'svc.reward.redeem',
      label: 'Redeem A coffee of your choice',
      method: 'POST',
      href: '/api/v1/widgets/wdg_01jz8n2m4nf6pr8s0t2v4w6xyz/actions/redeem',
      requiresConfirmation: true,
      requiresIdempotencyKey: true,
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['action', 'rewardId', 'confirmed', 'idempotencyKey'],
        properties: {
          action: { const: 'redeem' },
          rewardId: { const: 'free-coffee' },
          confirmed: { const: true },
          idempotencyKey: { type: 'string', minLength: 12, maxLength: 160 },
        },
      },
    },
  ],
  safety: {
    auth: 'origin_bound_widget_session',
    merchantContentTreatment: 'untrusted_data',
    containsSecrets: false,
    containsDirectPersonalIdentifiers: false,
    redemptionRequiresConfirmation: true,
    redemptionRequiresIdempotencyKey: true,
  },
};
