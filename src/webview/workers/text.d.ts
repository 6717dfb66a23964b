/** A script as the text of its bundle, see `asText` in esbuild.mjs. */
declare module '*?text' {
  export const text: string;
}
