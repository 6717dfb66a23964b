import os from 'node:os';
import { cacheRows } from './cacheRows';
import { checkpointRows } from './checkpointRows';
import { glanceRows } from './glanceRows';
import { hostRows } from './hostRows';
import { indexRows } from './indexRows';
import { modelRow, promptRow, subagentsRow } from './modelRows';
import { pagesRows } from './pagesRows';
import { pickerRow } from './pickerRow';
import { promptRows } from './promptRows';
import { readingRows } from './readingRows';
import { reconnectRow } from './reconnectRow';
import { registryRows } from './registryRows';
import { reloadRow } from './reloadRow';
import { streamableHttpRow, webSocketRow } from './remoteRow';
import { reviewChangesRow } from './reviewChangesRow';
import { reviewRow } from './reviewRows';
import { sizeRows } from './sizeRows';
import { formatTable, type TableRow } from './table';
import { toolsRows } from './toolsRows';
import { treeRows } from './treeRows';
import { turnRows } from './turnRows';
import { undoAllRow } from './undoAllRow';
import { version2HostRow, version2ModelRow, version2ReplacedRow } from './version2Rows';
import { windowRows } from './windowRows';
import { worktreeRow } from './worktreeRow';

/** Run one after the other, so that no measurement disturbs another. */
const measurements: readonly (() => Promise<TableRow | readonly TableRow[]>)[] = [
  modelRow,
  subagentsRow,
  version2ModelRow,
  version2ReplacedRow,
  webSocketRow,
  streamableHttpRow,
  reconnectRow,
  pagesRows,
  treeRows,
  promptRow,
  checkpointRows,
  worktreeRow,
  reviewRow,
  indexRows,
  promptRows,
  pickerRow,
  registryRows,
  hostRows,
  version2HostRow,
  undoAllRow,
  reviewChangesRow,
  windowRows,
  cacheRows,
  reloadRow,
  readingRows,
  turnRows,
  glanceRows,
  toolsRows,
  sizeRows,
];

const wanted = process.argv.slice(2);
const rows: TableRow[] = [];
for (const measure of measurements) {
  if (wanted.length === 0 || wanted.some((name) => measure.name.includes(name))) {
    rows.push(...[await measure()].flat());
  }
}
const cpu = os.cpus();
console.log(`${cpu.length} × ${cpu[0]?.model ?? 'unknown processor'}, Node ${process.version}\n`);
console.log(formatTable(rows));
