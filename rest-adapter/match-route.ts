/** The part of a route that requests are matched with. */
export interface Matchable {
  method: string;
  /** Literal segments of letters and hyphens, and parameters `{name}`. */
  path: string;
}

/**
 * The route of a request with its path parameters, still percent-encoded; or the methods that the path allows; or
 * neither.
 */
export type Match<R> =
  | { kind: 'route'; route: R; parameters: Readonly<Record<string, string>> }
  | { kind: 'method_not_allowed'; allow: string }
  | { kind: 'not_found' };

interface Entry<R> {
  path: RegExp;
  names: string[];
  byMethod: Map<string, R>;
  allow: string;
}

const noParameters: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Compiles routes into one lookup: literal paths by a map, the others in order. A GET route also answers HEAD.
 * Express's router is not used: it decodes parameters before a handler can choose the response to a bad encoding, and
 * it tries every route in turn.
 */
export function createMatcher<R extends Matchable>(
  routes: readonly R[],
): (method: string, path: string) => Match<R> {
  const literal = new Map<string, Entry<R>>();
  const parametrised: Entry<R>[] = [];
  for (const [path, sharing] of Map.groupBy(routes, (route) => route.path)) {
    const entry = compileEntry(path, sharing);
    if (entry.names.length === 0) literal.set(path, entry);
    else parametrised.push(entry);
  }
  return (method, path) => {
    const exact = literal.get(path);
    if (exact) return matchMethod(exact, method, noParameters);
    for (const entry of parametrised) {
      const values = entry.path.exec(path);
      if (!values) continue;
      const parameters: Record<string, string> = {};
      for (const [index, name] of entry.names.entries()) parameters[name] = values[index + 1] ?? '';
      return matchMethod(entry, method, parameters);
    }
    return { kind: 'not_found' };
  };
}

function compileEntry<R extends Matchable>(path: string, routes: R[]): Entry<R> {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const pattern = path.replace(/\{\w+\}/g, '([^/]+)');
  const byMethod = new Map(routes.map((route) => [route.method, route]));
  const get = byMethod.get('GET');
  if (get) byMethod.set('HEAD', get);
  return { path: new RegExp(`^${pattern}$`), names, byMethod, allow: [...byMethod.keys()].join(', ') };
}

function matchMethod<R>(
  entry: Entry<R>,
  method: string,
  parameters: Readonly<Record<string, string>>,
): Match<R> {
  const route = entry.byMethod.get(method);
  return route ? { kind: 'route', route, parameters } : { kind: 'method_not_allowed', allow: entry.allow };
}
