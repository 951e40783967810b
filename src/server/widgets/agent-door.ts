import type { IncomingMessage, ServerResponse } from 'node:http';
import { type GraphQLSchema, parse } from 'graphql';
import { failureOf } from '../../../rest-adapter/answer.ts';
import { documents } from '../../../rest-adapter/generated/documents.ts';
import { widgetActor } from '../../commands/shared/caller.ts';
import { refuseUnavailable } from '../../graphql/errors/unavailable.ts';
import type { WidgetContext } from '../../graphql/execution/context.ts';
import { type PreparedOperation, prepareOperation } from '../../graphql/execution/prepared-operation.ts';
import { WorkLimit } from '../../http/work-limit.ts';
import type {
  ConfirmedRedemption,
  HoldRelease,
  RedemptionReceipt,
  ReleaseReceipt,
  ToolTarget,
} from '../../mcp/call-tool.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import type { FailureLog } from '../requests/outage-log.ts';
import type { Refusals } from '../service/refusals.ts';
import { refuseCommand } from '../service/refuse-overload.ts';
import type { Service } from '../service/service.ts';
import { admitVisitor, type Visitor } from './admit-visitor.ts';
import { holdsOf, releaseHold } from './agent-holds.ts';

/** What the tools of an agent that is let in work on, or why it is not; with headers of the response. */
export interface AgentAdmission {
  target: ToolTarget | Refusal;
  headers: Readonly<Record<string, string>>;
}

export interface AgentDoorOptions {
  service: Pick<Service, 'widgets' | 'writer' | 'queries'>;
  schema: GraphQLSchema;
  logger: FailureLog;
  reportRefusal: Refusals['note'];
}

/** Who asks, in which request. */
interface Asking extends Visitor {
  requestId: string;
  response: ServerResponse;
  limit: WorkLimit;
}

const wrongOrigin = refuse(
  'origin_not_allowed',
  'The widget is not for pages of this origin. An agent that is no page leaves the header Origin out.',
);

/** Lets agents in, and carries out what their tools do. */
export class AgentDoor {
  readonly #options: AgentDoorOptions;
  readonly #redeem: PreparedOperation;

  /** @throws Error at boot where the REST adapter's document of a redemption does not fit the schema */
  constructor(options: AgentDoorOptions) {
    const redeem = prepareOperation(options.schema, parse(documents.redeemInWidget, { noLocation: true }));
    if (!redeem) throw new Error('The document of a redemption has more in it than one plain operation');
    this.#options = options;
    this.#redeem = redeem;
  }

  /**
   * Lets an agent in as a visitor of the widget. A request without a session may be of no page at all; if it is of a
   * page, the deployment has to list its origin.
   * @returns refusals: those of `admitVisitor`, and `origin_not_allowed`
   */
  async admit(
    request: IncomingMessage,
    response: ServerResponse,
    deploymentId: string,
    requestId: string,
  ): Promise<AgentAdmission> {
    const { widgets } = this.#options.service;
    const counted = { ...widgets, anonymousLimiter: widgets.agentLimiter };
    const limit = new WorkLimit();
    const { visitor, headers } = await limit.wait(admitVisitor(counted, request, deploymentId));
    if (isRefusal(visitor)) return { target: visitor, headers };
    const { origin } = request.headers;
    if (origin !== undefined && !visitor.deployment.document.origins.includes(origin))
      return { target: wrongOrigin, headers };
    return { target: this.#targetOf({ ...visitor, requestId, response, limit }), headers };
  }

  /** Logs an error unless it is temporary. @returns what the client is told */
  reportError(error: unknown, requestId: string): Refusal {
    const unavailable = refuseUnavailable(error);
    if (!unavailable) this.#options.logger.error({ err: error, requestId }, "An agent's request failed");
    return unavailable ?? refuse('internal_error', 'Internal error');
  }

  #targetOf(asking: Asking): ToolTarget {
    const { requestId, deployment, session, response, limit } = asking;
    const { service, reportRefusal } = this.#options;
    return {
      requestId,
      signedIn: session !== null,
      async readSurface() {
        const read = await limit.wait(service.widgets.surfaces.read(deployment, session));
        return isRefusal(read) ? read : read.surface;
      },
      redeem: (redemption) => limit.wait(this.#run(redemption, asking)),
      listHolds: () => limit.wait(holdsOf(service.queries, holderOf(asking))),
      releaseHold: (release) => limit.wait(this.#release(release, asking)),
      reportRefusal: (code) => reportRefusal(response, code),
      reportError: (error) => this.reportError(error, requestId),
    };
  }

  async #release(release: HoldRelease, asking: Asking): Promise<ReleaseReceipt | Refusal> {
    const { queries, writer: commands } = this.#options.service;
    const holder = holderOf(asking);
    const { environmentId } = holder.session;
    const overloaded = refuseCommand(commands, environmentId, widgetActor(holder.session).id);
    return overloaded ?? releaseHold({ queries, commands }, release, holder);
  }

  /** Runs the operation that the redeem action of REST runs, with the same context. */
  async #run(
    { pointsCost, ...redemption }: ConfirmedRedemption,
    asking: Asking,
  ): Promise<RedemptionReceipt | Refusal> {
    const { requestId, deployment, session } = holderOf(asking);
    const { writer: commands } = this.#options.service;
    const overloaded = refuseCommand(commands, session.environmentId, widgetActor(session).id);
    if (overloaded) return overloaded;
    const context: WidgetContext = {
      requestId,
      session,
      deployment,
      ifMatch:
        pointsCost === null
          ? null
          : `"${deployment.deploymentId}:${deployment.version};points=${pointsCost}"`,
      door: 'widget',
      commands,
    };
    const { deploymentId } = deployment;
    const { data, errors } = await this.#redeem({ input: { deploymentId, ...redemption } }, context);
    const [error] = errors ?? [];
    if (!error) return data?.redeemInWidget as RedemptionReceipt;
    const failure = failureOf(error);
    if (!failure) throw error.originalError ?? error;
    return refuse(failure.code, failure.message, failure.details);
  }
}

function holderOf({ requestId, deployment, session }: Asking) {
  if (!session) throw new Error('What a customer alone can do has to be refused before without a session');
  return { requestId, deployment, session };
}
