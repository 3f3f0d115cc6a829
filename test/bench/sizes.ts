// What ships: bundles, their compressed sizes, and the VSIX.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { BenchOptions } from './main';
import type { Report } from './report';

const area = 'sizes';
const bundles = ['extension.js', 'headless.js', 'webview.js', 'webview-style.css'];

export async function measureSizes(report: Report, _options: BenchOptions): Promise<void> {
  const late = existsSync('dist/late') ? readdirSync('dist/late').filter((file) => file.endsWith('.js')) : [];
  for (const bundle of [...bundles, ...late.map((file) => `late/${file}`)]) {
    const file = `dist/${bundle}`;
    if (!existsSync(file)) {
      report.skip(area, bundle, 'it is not built');
      continue;
    }
    const bytes = readFileSync(file);
    const target = bundle === 'webview.js' ? { target: 100 } : {};
    report.add({ area, name: bundle, unit: 'kB' }, [bytes.length / 1000]);
    report.add({ area, name: `${bundle}, gzip`, unit: 'kB', ...target }, [gzipSync(bytes, { level: 9 }).length / 1000]);
  }
  try {
    await promisify(execFile)('npm', ['run', 'package'], { encoding: 'utf8' });
    report.add({ area, name: 'VSIX', unit: 'MB', target: 3, peer: '8.6 MB' }, [statSync('out/deft.vsix').size / 1e6]);
  } catch (error) {
    report.skip(area, 'VSIX', `npm run package failed: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`);
  }
}
