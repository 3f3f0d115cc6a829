// Draws diagrams as pictures: an SVG in an image runs nothing and loads nothing. Loaded by the first diagram that is shown.
import mermaid, { type MermaidConfig } from 'mermaid';

export interface Drawn {
  /** The SVG's address. */
  url: string;
  width: number;
  height: number;
  /** What it is, and the texts in it. */
  words: string;
}

/** Larger ones would hold up the page while they are laid out. */
const MOST_CHARACTERS = 20_000;
const MOST_EDGES = 300;
const MOST_WORDS = 400;

let last: Promise<unknown> = Promise.resolve();
let count = 0;

/** Throws a sentence where the source is no diagram, or one that is not drawn here. One after the other: each is measured in the page. */
export function drawDiagram(source: string): Promise<Drawn> {
  const drawing = last.then(() => draw(source));
  last = drawing.catch(() => undefined);
  return drawing;
}

async function draw(source: string): Promise<Drawn> {
  if (source.length > MOST_CHARACTERS)
    throw new Error(`It is longer than ${MOST_CHARACTERS.toLocaleString('en')} characters.`);
  mermaid.initialize(configuration());
  // Off the page, but with a layout: texts are measured in it.
  const place = document.createElement('div');
  place.className = 'diagram-measured';
  place.setAttribute('aria-hidden', 'true');
  document.body.append(place);
  try {
    const { svg, diagramType } = await mermaid.render(`diagram-${++count}`, source, place);
    return pictureOf(svg, diagramType);
  } catch (error) {
    throw new Error(reasonOf(error));
  } finally {
    place.remove();
  }
}

function configuration(): MermaidConfig {
  const style = getComputedStyle(document.body);
  const colour = (name: string, otherwise: string): string => style.getPropertyValue(name).trim() || otherwise;
  const text = colour('--vscode-foreground', '#808080');
  const page = colour('--vscode-sideBar-background', colour('--vscode-editor-background', '#ffffff'));
  const box = colour('--vscode-editorWidget-background', page);
  const line = colour('--vscode-contrastBorder', colour('--vscode-descriptionForeground', text));
  const dark = /vscode-dark|vscode-high-contrast(?!-light)/.test(document.body.className);
  return {
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    layout: 'dagre',
    maxTextSize: MOST_CHARACTERS,
    maxEdges: MOST_EDGES,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    class: { htmlLabels: false },
    // A front matter or directive of the source changes none of these.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'maxEdges',
      'htmlLabels',
      'theme',
      'themeCSS',
      'fontFamily',
    ],
    fontFamily: style.fontFamily,
    theme: 'base',
    themeVariables: {
      darkMode: dark && !document.body.classList.contains('vscode-high-contrast-light'),
      fontFamily: style.fontFamily,
      fontSize: '13px',
      background: page,
      primaryColor: box,
      primaryTextColor: text,
      primaryBorderColor: line,
      secondaryColor: box,
      secondaryTextColor: text,
      secondaryBorderColor: line,
      tertiaryColor: page,
      tertiaryTextColor: text,
      tertiaryBorderColor: line,
      mainBkg: box,
      nodeBorder: line,
      clusterBkg: page,
      clusterBorder: line,
      lineColor: line,
      textColor: text,
      titleColor: text,
      edgeLabelBackground: page,
      noteBkgColor: box,
      noteTextColor: text,
      noteBorderColor: line,
      actorBkg: box,
      actorTextColor: text,
      actorBorder: line,
      labelBoxBkgColor: box,
      labelTextColor: text,
      loopTextColor: text,
      signalColor: text,
      signalTextColor: text,
    },
  };
}

function pictureOf(svg: string, kind: string): Drawn {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  if (parsed.nodeName !== 'svg') throw new Error('Its picture could not be read.');
  const [, , width = 0, height = 0] = (parsed.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (!(width > 0 && height > 0)) throw new Error('Its picture has no size.');
  for (const style of parsed.querySelectorAll('style')) style.removeAttribute('nonce');
  parsed.setAttribute('width', `${width}`);
  parsed.setAttribute('height', `${height}`);
  const given = ['title', 'desc'].map((name) => parsed.querySelector(`:scope > ${name}`)?.textContent?.trim() ?? '');
  const texts = [...parsed.querySelectorAll('text')].map((text) =>
    (text.textContent ?? '').replace(/\s+/g, ' ').trim(),
  );
  const described = given.filter((words) => words !== '');
  const words = described.length > 0 ? described : [...new Set(texts.filter((words) => words !== ''))];
  return {
    url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(parsed))}`,
    width: Math.ceil(width),
    height: Math.ceil(height),
    words: `Diagram (${kindOf(kind)}): ${words.join(', ')}`.slice(0, MOST_WORDS),
  };
}

/** "flowchart-v2" is a flowchart. */
function kindOf(kind: string): string {
  return kind.replace(/-v\d+$|Diagram$/g, '');
}

function reasonOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  if (/Maximum text size|Too many edges|edges found/i.test(words)) return `It has more than ${MOST_EDGES} edges.`;
  if (words.startsWith('No diagram type detected')) return 'Deft does not draw diagrams of this kind.';
  return words.split('\n').slice(0, 1).join(' ').trim() || 'Its source could not be read.';
}
