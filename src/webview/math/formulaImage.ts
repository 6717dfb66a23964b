/** Room around the formula, in pixels. */
const padding = 8;

/**
 * The address of an image of the formula that an element shows, in the page's color and font. An
 * image of this kind taints no canvas if its address has its content.
 */
export function toFormulaImage(shown: Element): string {
  const math = shown.querySelector('math') ?? shown;
  const content = document.createRange();
  content.selectNodeContents(math);
  const box = content.getBoundingClientRect();
  const { color, fontFamily, fontSize } = getComputedStyle(math);
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('width', `${Math.ceil(box.width) + 2 * padding}`);
  svg.setAttribute('height', `${Math.ceil(box.height) + 2 * padding}`);
  const frame = document.createElementNS(svg.namespaceURI, 'foreignObject');
  frame.setAttribute('width', '100%');
  frame.setAttribute('height', '100%');
  const drawn = document.createElement('div');
  Object.assign(drawn.style, { padding: `${padding}px`, color, fontFamily, fontSize });
  drawn.append(math.cloneNode(true));
  frame.append(drawn);
  svg.append(frame);
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
}
