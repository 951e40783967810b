/** Decodes percent-encoded UTF-8. @returns null where the text is not */
export function percentDecode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
