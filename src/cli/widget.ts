import type { Command } from 'commander';
import { toTypeId } from '../ids.ts';
import { isRefusal } from '../refusal.ts';
import type { WidgetDocument } from '../widget/widget-document.ts';
import {
  actorOption,
  jsonOption,
  parseId,
  parsePositiveInteger,
  requiredEnvironmentOption,
} from './shell/arguments.ts';
import { addCustomerOption, CUSTOMER } from './shell/customer.ts';
import { CliFailure, orFail } from './shell/failure.ts';
import { hint, instant, print, table } from './shell/output.ts';
import { describeProblems, readText } from './shell/read-document.ts';
import { withSession } from './shell/session.ts';

interface Common {
  actor?: string;
  json?: boolean;
}

const EXAMPLE = 'wdg_01h455vb4pex5vsknk084sn02q';
const parseDeploymentId = parseId(
  'wdg',
  'The deployments of an environment: rewards widget list -e ENVIRONMENT',
);

/** Adds `rewards widget …`. */
export function addWidgetCommands(cli: Command): void {
  const widget = cli.command('widget').description("widgets that show a program on merchants' pages");
  addPublish(widget);
  addList(widget);
  addShow(widget);
  addPreview(widget);
}

function addPublish(widget: Command): void {
  widget
    .command('publish')
    .description('publish a widget document as the next version of its deployment')
    .argument('<file>', 'widget document (YAML or JSON); - for standard input')
    .addOption(requiredEnvironmentOption())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Prints the id of the deployment, which pages name. It stays the same for every document with the same id.
Versions are numbered from 1 and never change; the newest one is served, at once. A document that is the newest
version already is not published again, which is no failure. docs/guide/widget.md says what a document has.

Example:
  $ rewards widget publish demo/coffee-widget.yaml -e env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(async (file: string, options: Common & { environment: string }) => {
      const text = await readText(file);
      const document = await parse(file, text, options);
      const { publishWidget } = await import('../admin/widgets/publish-widget.ts');
      const result = await withSession(options, ({ administrator }) =>
        publishWidget(administrator, options.environment, document),
      );
      if (isRefusal(result) && result.code === 'program_not_found') {
        const { unknownProgramAt } = await import('../admin/widgets/check-widget.ts');
        throw new CliFailure(describeProblems(file, [unknownProgramAt(text, result.message)]));
      }
      const { deploymentId, version, published } = orFail(result);
      if (!options.json) {
        hint(
          published
            ? `Version ${version} is published.`
            : `Version ${version} is this very document; nothing was published.`,
        );
      }
      const environmentId = toTypeId('env', options.environment);
      print(options.json, { environmentId, deploymentId, version, published }, () => deploymentId);
    });
}

/** @throws CliFailure with all that is wrong with the document, its program included */
async function parse(file: string, text: string, options: { environment: string }): Promise<WidgetDocument> {
  const { parseWidget } = await import('../widget/parse-widget.ts');
  const parsed = parseWidget(text);
  if (parsed.ok) return parsed.document;
  const [{ readWidgetSource }, { refuseUnpublished }] = await Promise.all([
    import('../admin/widgets/check-widget.ts'),
    import('../admin/widgets/publish-widget.ts'),
  ]);
  const read = await readWidgetSource(text, (programId) =>
    withSession({}, ({ administrator }) =>
      refuseUnpublished(administrator.prisma, options.environment, programId),
    ).then(
      (unknown) => unknown?.message ?? null,
      () => null, // The other problems are told also where the database is away.
    ),
  );
  throw new CliFailure(describeProblems(file, read.ok ? parsed.problems : read.problems));
}

function addList(widget: Command): void {
  widget
    .command('list')
    .description('list the widget deployments of an environment')
    .addOption(requiredEnvironmentOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ rewards widget list -e env_01h455vb4pex5vsknk084sn02q\n')
    .action(async ({ environment, json }: Common & { environment: string }) => {
      const { listWidgets } = await import('../admin/widgets/list-widgets.ts');
      const { widgets } = await withSession({}, async ({ administrator }) =>
        orFail(await listWidgets(administrator.prisma, environment)),
      );
      print(json, { environmentId: toTypeId('env', environment), widgets }, () =>
        widgets.length === 0
          ? 'No widget is published there. Publish one: rewards widget publish FILE'
          : table(
              ['deployment', 'document', 'program', 'version', 'published', 'by'],
              widgets.map((one) => [
                one.deploymentId,
                one.documentKey,
                one.programId,
                one.version,
                instant(one.publishedAt),
                one.publishedBy,
              ]),
            ),
      );
    });
}

function addShow(widget: Command): void {
  widget
    .command('show')
    .description('show the versions of a widget deployment, and the document of one')
    .argument('<deployment>', 'widget deployment (wdg_…)', parseDeploymentId)
    .option('--version <number>', 'which version to show (default: the newest)', parsePositiveInteger)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The list goes to standard error and the document to standard output, so that it can be kept:
  $ rewards widget show ${EXAMPLE} --version 2 > coffee-widget-2.yaml
`,
    )
    .action(async (id: string, { version, json }: Common & { version?: number }) => {
      const { showWidget } = await import('../admin/widgets/show-widget.ts');
      const shown = await withSession({}, async ({ administrator }) =>
        orFail(await showWidget(administrator.prisma, id, version ?? null)),
      );
      const { stringify } = await import('yaml');
      if (!json) {
        const rows = shown.versions.map((one) => [
          one.version,
          one.programId,
          instant(one.publishedAt),
          one.publishedBy,
        ]);
        hint(`${table(['version', 'program', 'published', 'by'], rows)}\n`);
      }
      // Texts of several lines are quoted too: a YAML block scalar would lose some spaces and escapes.
      const style = { lineWidth: 110, blockQuote: false } as const;
      print(json, shown, () => stringify(shown.document, style).trimEnd());
    });
}

function addPreview(widget: Command): void {
  const preview = widget
    .command('preview')
    .description('print what a widget shows now, as JSON')
    .argument('<deployment>', 'widget deployment (wdg_…)', parseDeploymentId);
  addCustomerOption(preview, `to whom: ${CUSTOMER} (default: to nobody who is signed in)`)
    .addHelpText(
      'after',
      `
It is the body of GET /api/v1/widgets/{deploymentId}/surface.

Examples:
  $ rewards widget preview ${EXAMPLE}
  $ rewards widget preview ${EXAMPLE} --customer customer-ada
`,
    )
    .action(async (id: string, { customer }: { customer?: string }) => {
      const { previewWidget } = await import('../admin/widgets/preview-widget.ts');
      const surface = await withSession({}, async ({ pool }) =>
        orFail(await previewWidget(pool, toTypeId('wdg', id), customer ?? null)),
      );
      print(true, surface, () => '');
    });
}
