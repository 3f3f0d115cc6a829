// A block of code: coloured once it is complete, with a button that copies it.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { post } from '../host/vscode-api';
import { defined } from '../../src/shared/defined';
import { IconButton } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { FileLink } from '../parts/file-link';
import { type CodeLine, languageOf, plainLines } from './code-lines';
import { canBeApplied, codeTarget } from './code-target';
import { whenIdle } from './when-idle';

/** Lines in one chunk: only the last chunk of growing code is laid out again. */
const CHUNK = 64;

export interface CodeBlockProps {
  code: string;
  /** The fence's info string. */
  info: string;
  /** More code may come: not coloured yet. */
  open: boolean;
}

export function CodeBlock({ code, info, open }: CodeBlockProps) {
  const language = languageOf(info);
  const lines = useColouredLines(code, open ? undefined : language);
  const path = useMemo(() => (open ? undefined : codeTarget(info, code)), [info, code, open]);
  const name = info.trim().split(/[\s{]/)[0] ?? '';
  return (
    <div class={`code-block${isDiff(language) ? ' code-diff' : ''}${name === '' ? ' code-plain' : ''}`}>
      <div class="code-head">
        <span class="code-language">{name || 'text'}</span>
        {path !== undefined && path !== name && (
          <span class="code-path">
            <FileLink path={path}>{path}</FileLink>
          </span>
        )}
        <span class="block-actions">
          {!open && canBeApplied(info, code) && (
            <IconButton
              class="insert-code"
              icon="git-stash-apply"
              label={path === undefined ? 'Apply' : `Apply to ${path}`}
              title={`Propose it as a change of ${path ?? 'a file'}, which you review`}
              onClick={() => post({ type: 'applyCode', text: code, language: language ?? '', ...defined({ path }) })}
            />
          )}
          {!open && (
            <IconButton
              class="insert-code"
              icon="insert"
              label="Insert at cursor"
              title="Insert at the cursor of the editor"
              onClick={() => post({ type: 'insertCode', text: code })}
            />
          )}
          <CopyButton text={() => code} label="Copy code" />
        </span>
      </div>
      <CodeLines lines={lines} label={language ? `Code, ${language}` : 'Code'} />
    </div>
  );
}

function isDiff(language: string | undefined): boolean {
  return language === 'diff' || language === 'patch';
}

/** Plain at once, coloured when the browser has time. */
export function useColouredLines(code: string, language: string | undefined): readonly CodeLine[] {
  const [coloured, setColoured] = useState<{ code: string; language: string; lines: CodeLine[] }>();
  useEffect(() => {
    if (language === undefined) return undefined;
    let cancel = (): void => undefined;
    let gone = false;
    // Most of the page's script is what it takes to colour code: the page does not wait for it.
    void import('./colours').then(({ highlightLines }) => {
      if (!gone) cancel = whenIdle(() => setColoured({ code, language, lines: highlightLines(code, language) }));
    });
    return () => {
      gone = true;
      cancel();
    };
  }, [code, language]);
  return coloured?.code === code && coloured.language === language ? coloured.lines : plainLines(code);
}

export function CodeLines({ lines, label }: { lines: readonly CodeLine[]; label: string }) {
  const chunks = [];
  for (let start = 0; start < lines.length; start += CHUNK) chunks.push(lines.slice(start, start + CHUNK));
  return (
    <pre class="code" tabIndex={0} role="group" aria-label={label}>
      <code>
        {chunks.map((chunk, index) => (
          <span class="code-chunk" key={index}>
            {chunk.some((line) => line.some((piece) => piece.className !== ''))
              ? chunk.flatMap((line, at) => [...line.map((piece, part) => pieceNode(piece, `${at}.${part}`)), '\n'])
              : chunk.map((line) => `${line[0]?.text ?? ''}\n`).join('')}
          </span>
        ))}
      </code>
    </pre>
  );
}

function pieceNode(piece: CodeLine[number], key: string) {
  if (piece.className === '') return piece.text;
  return (
    <span class={piece.className} key={key}>
      {piece.text}
    </span>
  );
}
