// Sleep, row by row: how long it waits, and what it refuses.
import { sleepTool } from '../../../src/core/tools/sleep';
import { createManualClock } from '../../support/manual-clock';
import { type ToolRow, toolTable } from '../../support/tool-table';

const waited = (duration_ms: number, text: string): ToolRow => ({
  name: text,
  input: { duration_ms },
  ports: { clock: createManualClock() },
  text,
  detail: '',
});
const refused = (name: string, input: unknown): ToolRow => ({
  name,
  input,
  code: 'InputValidationError',
  text: /`duration_ms`|Expected object/,
});

const rows: ToolRow[] = [
  waited(1, 'Waited 1 ms.'),
  waited(250, 'Waited 250 ms.'),
  waited(1_500, 'Waited 1.5 s.'),
  waited(60_000, 'Waited 1 min.'),
  waited(125_000, 'Waited 2 min 5 s.'),
  waited(600_000, 'Waited 10 min.'),
  {
    name: 'news that wait already',
    input: { duration_ms: 60_000 },
    ports: { clock: createManualClock() },
    session: {
      onArrival: (listener) => {
        listener('event');
        return () => undefined;
      },
    },
    text: 'Woke after 0 ms of 1 min: something has happened in the background; it follows.',
    detail: 'woken by a background event',
  },
  refused('nothing', { duration_ms: 0 }),
  refused('less than nothing', { duration_ms: -1 }),
  refused('half a millisecond', { duration_ms: 1.5 }),
  refused('more than ten minutes', { duration_ms: 600_001 }),
  refused('words', { duration_ms: 'a second' }),
  refused('no time at all', {}),
  refused('a number alone', 1_000),
];

describe('Sleep, row by row', () => toolTable(sleepTool, rows));
