/** Scale of a copied picture, so that it is sharp on any screen. */
const scale = 2;
/** Longest side of a copied picture, in pixels. */
const maxSide = 8000;

/** Copies the image at an address as a PNG on the theme's background. */
export async function copyPicture(url: string): Promise<void> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const factor = Math.min(scale, maxSide / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.width * factor);
  canvas.height = Math.round(image.height * factor);
  const context = canvas.getContext('2d');
  if (context === null) {
    return;
  }
  const style = getComputedStyle(document.documentElement);
  context.fillStyle = style.getPropertyValue('--vscode-editor-background');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (blob !== null) {
    await navigator.clipboard.write([new ClipboardItem({ [blob.type]: blob })]);
  }
}
