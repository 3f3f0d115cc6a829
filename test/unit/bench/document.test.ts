// The page of figures: a run replaces its own sections and keeps those of other runs.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { areaSections, tableText, writeSections } from '../../bench/document';
import { createReport } from '../../bench/report';
import { Growth } from '../../bench/soak/sample';

describe('the page of figures', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'deft-figures-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('keeps the sections of other runs, and replaces its own', async () => {
    const file = path.join(folder, 'performance.md');
    await writeSections({ core: 'First.', soak: 'Hours.' }, file);
    await writeSections({ core: 'Second.' }, file);
    const text = readFileSync(file, 'utf8');
    assert.deepEqual(text.match(/^#.*$/gm), ['# Performance', '## core', '## soak']);
    assert.match(text, /## core\n\nSecond\.\n\n## soak\n\nHours\.\n$/);
  });

  it('shows targets that were missed, and what was not measured', () => {
    const report = createReport(() => undefined);
    report.add({ area: 'core', name: 'a | b', unit: 'ms', target: 10 }, [20]);
    report.skip('search', 'ripgrep', 'it is not there');
    const facts = { cpu: 'C', cores: 2, memoryGiB: 4, system: 's', node: 'v20', load: [0], tree: 't' };
    const sections = areaSections(report, facts);
    assert.match(
      sections['core'] ?? '',
      /^2 × C, .*\.\n\n\| row \| measured .*\n.*\n\| a \\\| b \| 20\.0 ms \| ≤ 10\.0 ms \|  \| ✗ \|/,
    );
    assert.match(sections['search'] ?? '', /- Not measured: ripgrep: it is not there$/);
    assert.equal(tableText(['a', 'b'], [['1', '2']]), '| a | b |\n| --- | --: |\n| 1 | 2 |');
  });
});

describe('growth in a soak', () => {
  it('is that of each process, however high the next one begins', () => {
    const growth = new Growth();
    for (const start of [100, 500]) {
      growth.restart();
      for (const turn of [0, 50, 100]) growth.add({ turn, figures: { MiB: start + turn / 100 } });
    }
    const { perThousand, highest } = growth.result().get('MiB') ?? { perThousand: 0, highest: 0 };
    assert.ok(Math.abs(perThousand - 10) < 1e-6, String(perThousand));
    assert.equal(highest, 501);
  });
});
