/** How frames are read on either side of a WebSocket. */
export const webSocketFrames = {
  // Nothing that was compressed is larger than it seems.
  perMessageDeflate: false,
  // As over stdio, an invalid byte is one wrong character and not the end.
  skipUTF8Validation: true,
  // Each may hold the chunk that it came in, of which a message's bytes count only a part.
  maxFragments: 4096,
};
