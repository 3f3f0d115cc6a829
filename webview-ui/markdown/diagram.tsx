// A diagram of an answer: its source until it is drawn, on demand, and where it could not be drawn.
import { useEffect, useState } from 'preact/hooks';
import { signal } from '@preact/signals';
import { IconButton } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { CodeBlock } from './code-block';
import type { Drawn } from './draw-diagram';

interface DiagramProps {
  source: string;
  info: string;
}

/** A share of its size: in a narrow chat a diagram becomes smaller as long as its text can be read, then it scrolls. */
const SMALLEST = 0.7;

/** Another theme has other colours. */
const theme = signal('');
let watched = false;

function watchTheme(): void {
  if (watched) return;
  watched = true;
  const note = (): void => void (theme.value = `${document.body.className} ${document.body.dataset['vscodeThemeId']}`);
  note();
  new MutationObserver(note).observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
}

export function Diagram({ source, info }: DiagramProps) {
  watchTheme();
  const [drawn, setDrawn] = useState<Drawn>();
  const [problem, setProblem] = useState<string>();
  const [asSource, setAsSource] = useState(false);
  const shownIn = theme.value;
  useEffect(() => {
    let gone = false;
    import('./draw-diagram')
      .then(({ drawDiagram }) => drawDiagram(source))
      .then(
        (picture) => {
          if (gone) return;
          setDrawn(picture);
          setProblem(undefined);
        },
        (error: unknown) => !gone && setProblem(error instanceof Error ? error.message : String(error)),
      );
    return () => void (gone = true);
  }, [source, shownIn]);

  const toggle = drawn && (
    <IconButton
      icon={asSource ? 'eye' : 'code'}
      label={asSource ? 'Show the diagram' : 'Show the source of the diagram'}
      onClick={() => setAsSource(!asSource)}
    />
  );
  if (drawn === undefined || problem !== undefined || asSource)
    return (
      <div class="diagram">
        <CodeBlock code={source} info={info} open={false} />
        {problem !== undefined && <p class="quiet">This diagram could not be drawn: {problem}</p>}
        {problem === undefined && toggle}
      </div>
    );
  return (
    <div class="diagram code-block">
      <div class="code-head">
        <span class="code-language">diagram</span>
        <span class="block-actions">
          {toggle}
          <CopyButton text={() => source} label="Copy the source of the diagram" />
        </span>
      </div>
      <div class="diagram-scroll" tabIndex={0} role="group" aria-label="Diagram">
        <img
          src={drawn.url}
          width={drawn.width}
          height={drawn.height}
          style={{ minWidth: `${SMALLEST * drawn.width}px` }}
          alt={drawn.words}
        />
      </div>
    </div>
  );
}
