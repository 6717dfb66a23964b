// In a worker, the layout's engine waits for messages instead of offering its functions, unless
// there is a document: https://github.com/kieler/elkjs/issues/141. The library hides `self` from it
// for the same reason, which fails in a worker, where it can't be written.
Object.defineProperties(globalThis, {
  document: { value: {} },
  self: { value: globalThis, writable: true, configurable: true },
});
