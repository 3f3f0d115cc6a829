// Generated workspaces: the same files on every machine, so that figures can be compared.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** TypeScript-like text of so many lines; equal numbers give equal text. */
export function sourceText(seed: number, lines: number): string {
  const text: string[] = [];
  for (let line = 0; line < lines; line++) {
    const value = (seed * 7919 + line * 104_729) % 99_991;
    const name = `entry${value.toString(36)}`;
    text.push(
      line % 10 === 0
        ? `export function ${name}(input: number): number {`
        : line % 10 === 9
          ? '}\n'.trim()
          : `  const ${name} = input * ${value} + ${seed}; // step ${line} of a longer calculation`,
    );
  }
  return `${text.join('\n')}\n`;
}

/** Writes `count` files of so many lines, 25 a folder, and returns their absolute paths. */
export function writeTree(folder: string, count: number, lines: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const parent = path.join(folder, `part${Math.floor(index / 500)}`, `module${Math.floor(index / 25)}`);
    mkdirSync(parent, { recursive: true });
    const file = path.join(parent, `file${index}.${index % 4 === 3 ? 'md' : 'ts'}`);
    writeFileSync(file, sourceText(index, lines));
    return file;
  });
}
