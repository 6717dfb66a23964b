/** Words of Anthropic and of Claude Code, of OpenAI, and of Google. */
const refusals = [
  /could not process image/i,
  /image exceeds [\d.]+ [KMG]B maximum/i,
  /image dimensions exceed max allowed size/i,
  /image format image\/\S{1,40} not supported/i,
  /image was too large/i,
  /image base64 size \([^)]{1,40}\) exceeds API limit/i,
  /image data you provided does not represent a valid image/i,
  /you uploaded an unsupported image/i,
  /invalid 'input\[\d+\][^']{0,60}\.image_url'/i,
  /unable to process input image/i,
  /provided image is not valid/i,
];

/** Whether an agent's error says that its model's provider has refused an image (T-90). */
export function saysImageRefused(message: string): boolean {
  return refusals.some((refusal) => refusal.test(message.replace(/\s+/g, ' ')));
}
