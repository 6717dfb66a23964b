const mebibyte = 1024 * 1024;

/** What nothing may exceed, whatever an agent, a file or a page sends: the one place to change a bound of the soak. */
export const budgets = {
  /** Characters of one message to the page, as JSON. */
  message: 34 * mebibyte,
  /** Characters of one drawn row as JSON, without the data of its images. */
  row: 1.5 * mebibyte,
  /** Base64 characters of all images of one row. */
  rowImages: 28 * mebibyte,
  /** Levels of objects and arrays in a message to the page. */
  depth: 100,
  /** Notices that are sent to a page that was hidden while they came. */
  notices: 50,
  /** Questions that wait for a person in one session. */
  waiting: 300,
  /** Rows of one list of sessions. */
  listRows: 110_000,
  /** Lines of the log for one kind of trouble, however often it happens. */
  logLines: 200,
  /** Characters of all that. */
  logCharacters: 2 * mebibyte,
  /** Bytes that stay on the heap for updates of sessions that nobody has opened. */
  early: 48 * mebibyte,
  /** Characters that a terminal's text of 192 KB may become, whatever it does with the cursor. */
  terminalCells: 2_000_000,
  /** Bytes that terminals hold in sum, beyond what the process held before. */
  terminalBytes: 300 * mebibyte,
  /** Bytes that a process holds at its peak. */
  peak: 1200 * mebibyte,
  /** The heap of a process that runs checks, in MiB. */
  heap: 512,
  /**
   * Processor time of the longest stretch in which nothing else gets its turn, in ms; asked in `npm run soak` only. What
   * the agent takes for a message of 30 MB is in it, because it lives in the same process.
   */
  stretch: 4000,
  /** Cost at twice the size over cost at the size. */
  cost: 2.5,
} as const;
