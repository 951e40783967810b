/** Whether a text is the origin of a web page as browsers send it. They send one spelling only. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && origin === text;
}
