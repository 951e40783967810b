/** Decodes percent-encoded UTF-8. @returns null where it is none */
export function percentDecode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
