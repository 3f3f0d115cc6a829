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
  for (const bundle of [...bundles, ...scriptsIn('late'), ...scriptsIn('webview')]) {
    const file = `dist/${bundle}`;
    if (!existsSync(file)) {
      report.skip(area, bundle, 'it is not built');
      continue;
    }
    // With what each chunk is named anew by its hash.
    const name = bundle.replace(/-[A-Z0-9]{8}(?=\.js$)/, '');
    report.add({ area, name, unit: 'kB' }, [statSync(file).size / 1000]);
    const target = bundle === 'webview.js' ? { target: 100 } : {};
    report.add({ area, name: `${name}, gzip`, unit: 'kB', ...target }, [zippedSize(file) / 1000]);
  }
  const whole = ['webview.js', ...scriptsIn('webview')].reduce((sum, script) => sum + zippedSize(`dist/${script}`), 0);
  report.add({ area, name: 'all scripts of the webview, late ones too, gzip', unit: 'kB' }, [whole / 1000]);
  try {
    await promisify(execFile)('npm', ['run', 'package'], { encoding: 'utf8' });
    // A megabyte of it is playwright-core, which Page drives a browser with; half of one draws formulas and diagrams.
    report.add({ area, name: 'VSIX', unit: 'MB', target: 4.5, peer: '8.6 MB' }, [statSync('out/deft.vsix').size / 1e6]);
  } catch (error) {
    report.skip(
      area,
      'VSIX',
      `npm run package failed: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`,
    );
  }
}

function scriptsIn(folder: string): string[] {
  return existsSync(`dist/${folder}`)
    ? readdirSync(`dist/${folder}`)
        .filter((file) => file.endsWith('.js'))
        .map((file) => `${folder}/${file}`)
    : [];
}

function zippedSize(file: string): number {
  return gzipSync(readFileSync(file), { level: 9 }).length;
}
