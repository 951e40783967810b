type Child = Node | string | null | undefined | false;

/**
 * Creates an element. Children that are strings become text: nothing in this element's sources parses HTML.
 * @param attributes `true` sets an empty attribute; `false` and null set none
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean | null>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A button that does not submit anything. */
export function button(
  parts: string,
  onClick: () => void,
  ...children: Child[]
): HTMLElementTagNameMap['button'] {
  const element = h('button', { type: 'button', part: parts, class: parts }, ...children);
  element.addEventListener('click', onClick);
  return element;
}

/** Text of a merchant. Its characters that change the direction of text end with it. */
export function isolated(text: string): HTMLElement {
  return h('bdi', {}, text);
}

/** The nodes of a phrase such as `{amount} to {tier}`, with the values in place of the names. */
export function phrase(template: string, values: Readonly<Record<string, string>> = {}): Child[] {
  return template
    .split(/(\{\w+\})/)
    .map((piece) => {
      const name = /^\{(\w+)\}$/.exec(piece)?.[1];
      const value = name !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
      return value === undefined ? piece : isolated(value);
    })
    .filter((piece) => piece !== '');
}
