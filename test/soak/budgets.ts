const mebibyte = 1024 * 1024;

/** The bounds that must hold whatever an agent, a file or a page sends. All bounds of the soak test are here. */
export const budgets = {
  /** Characters of one message to the page, as JSON. */
  message: 34 * mebibyte,
  /** Characters of one rendered row as JSON, without the data of its images. */
  row: 1.5 * mebibyte,
  /** Base64 characters of all images in one row. */
  rowImages: 28 * mebibyte,
  /** Nesting depth of objects and arrays in a message to the page. */
  depth: 100,
  /** Notices that are sent to a page that was hidden when they arrived. */
  notices: 50,
  /** Requests that wait for the user in one session. */
  waiting: 300,
  /** Rows of one session list. */
  listRows: 110_000,
  /** UTF-16 units of these rows. */
  listWeight: 68 * mebibyte,
  /** Log lines for one kind of failure, however often it occurs. */
  logLines: 200,
  /** Characters of all these lines. */
  logCharacters: 2 * mebibyte,
  /** Heap bytes for updates of sessions that nobody has opened. */
  early: 48 * mebibyte,
  /** Bytes that are held for each unit that what is left of a cut text weighs. */
  cut: 8,
  /** Characters of a message in the log. */
  logLine: 0.5 * mebibyte,
  /** Bytes that are held while a trace is read, for each byte of it. */
  trace: 2,
  /** Characters that a terminal's text of 192 KB may turn into, whatever it does with the cursor. */
  terminalCells: 2_000_000,
  /** Total bytes that terminals hold, beyond those that the process held before. */
  terminalBytes: 300 * mebibyte,
  /** Bytes that are held for an unfinished event, for each byte that it may have. */
  events: 2,
  /** Heap bytes by which requests of a server are remembered until they are answered. */
  requestIds: 4 * mebibyte,
  /** Peak memory of a process, in bytes. */
  peak: 1200 * mebibyte,
  /** Heap limit of a process that runs checks, in MiB. */
  heap: 512,
  /**
   * Processor time of the longest stretch without a turn of the event loop, in ms; checked in `npm run soak` only. It
   * includes the agent's own work for a message of 30 MB, because the agent runs in the same process.
   */
  stretch: 4000,
  /** Maximum ratio of the cost at twice the size to the cost at the size. */
  cost: 2.5,
} as const;
