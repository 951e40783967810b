export declare function newestOfLine(version: string, published: readonly string[]): string;
export declare function readAudit(
  audit: Readonly<Record<string, unknown>>,
): { problems: string[] } | { unanswered: string };
export declare function checkPackages(
  pinned: string,
  npm: (args: readonly string[]) => string,
): { problems: string[]; unanswered: string[] };
