import { createHash } from 'node:crypto';
import type { Express, RequestHandler } from 'express';
import { StaticDocument } from '../../http/static-document.ts';
import { bundle } from './bundle.ts';

const ENTRY = 'web/widget/svc-rewards.ts';
const NAME = '/widgets/svc-rewards';
const FOR_A_YEAR = 'public, max-age=31536000, immutable';

/** The pages of any site may load these files: they are the same for everybody. */
const FOR_EVERY_SITE = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The script of the web component, as it is served. */
interface WidgetFiles {
  /** Path with the hash of the script, under which it never changes. */
  hashedPath: string;
  newest: StaticDocument;
  hashed: StaticDocument;
  manifest: StaticDocument;
}

/**
 * Serves the web component: the newest at `/widgets/svc-rewards.js`, the same for ever under a path with its hash, and
 * at `/widgets/manifest.json` that path with the hash that a page names as `integrity`. It is bundled at the first
 * request.
 */
export function serveWidgetFiles(app: Express): void {
  let files: Promise<WidgetFiles> | null = null;
  const read = (): Promise<WidgetFiles> => {
    files ??= makeFiles().catch((error: unknown) => {
      files = null;
      throw error;
    });
    return files;
  };
  const serve = (choose: (files: WidgetFiles, path: string) => StaticDocument | null): RequestHandler => {
    return async (request, response, next) => {
      const document = choose(await read(), request.path);
      if (!document) return next();
      await document.send(request, response);
    };
  };
  app.get(
    `${NAME}.js`,
    serve(({ newest }) => newest),
  );
  app.get(
    '/widgets/manifest.json',
    serve(({ manifest }) => manifest),
  );
  app.get(
    '/widgets/:name',
    serve(({ hashed, hashedPath }, path) => (path === hashedPath ? hashed : null)),
  );
}

async function makeFiles(): Promise<WidgetFiles> {
  const script = await bundle(ENTRY);
  const hash = createHash('sha256').update(script).digest('hex').slice(0, 16);
  const hashedPath = `${NAME}.${hash}.js`;
  const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
  const type = { ...FOR_EVERY_SITE, 'Content-Type': 'text/javascript; charset=utf-8' };
  const manifest = { path: hashedPath, integrity, bytes: Buffer.byteLength(script) };
  const files = {
    hashedPath,
    newest: new StaticDocument(script, type),
    hashed: new StaticDocument(script, { ...type, 'Cache-Control': FOR_A_YEAR }),
    manifest: new StaticDocument(`${JSON.stringify(manifest)}\n`, {
      ...FOR_EVERY_SITE,
      'Content-Type': 'application/json; charset=utf-8',
    }),
  };
  await Promise.all([files.newest.prepare(), files.hashed.prepare()]);
  return files;
}
