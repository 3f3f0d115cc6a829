// Notebooks made for tests.

export type Json = Record<string, unknown>;

export function codeCell(id: string, source: string, outputs: Json[] = []): Json {
  return {
    cell_type: 'code',
    execution_count: outputs.length > 0 ? 1 : null,
    id,
    metadata: {},
    outputs,
    source: lines(source),
  };
}

export function markdownCell(id: string, source: string): Json {
  return { cell_type: 'markdown', id, metadata: {}, source: lines(source) };
}

/** In format 4.5, as Jupyter writes it. */
export function notebookText(cells: readonly Json[], rest: Json = {}): string {
  const metadata = {
    kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
    language_info: { name: 'python', file_extension: '.py' },
  };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5, ...rest }, undefined, 1)}\n`;
}

export function stream(text: string): Json {
  return { output_type: 'stream', name: 'stdout', text: lines(text) };
}

export function display(data: Json): Json {
  return { output_type: 'display_data', metadata: {}, data };
}

function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
