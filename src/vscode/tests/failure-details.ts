// What VS Code's own tool "testFailure" tells of failures, as data. Its form is no contract: what is not found is left out.

export interface FailureDetail {
  name: string;
  path?: string;
  message?: string;
  expected?: string;
  actual?: string;
  at?: { path: string; line: number };
}

export function failureDetails(text: string): FailureDetail[] {
  return [...text.matchAll(/<testFailure\b([^>]*)>([\s\S]*?)<\/testFailure>/g)].flatMap(
    ([, attributes = '', body = '']) => {
      const name = attribute(attributes, 'name');
      if (name === undefined) return [];
      const [, place = ''] = /<location\b([^>]*?)\/?>/.exec(body) ?? [];
      const [path, line] = [attribute(place, 'path'), Number(attribute(place, 'line'))];
      const parts = {
        path: attribute(attributes, 'path'),
        message: element(body, 'message'),
        expected: element(body, 'expectedOutput'),
        actual: element(body, 'actualOutput'),
        at: path === undefined || !Number.isInteger(line) ? undefined : { path, line },
      };
      return [{ name, ...given(parts) }];
    },
  );
}

function given(parts: { [Key in keyof Omit<FailureDetail, 'name'>]: FailureDetail[Key] | undefined }): Omit<
  FailureDetail,
  'name'
> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/** Written as JSON writes strings. */
function attribute(text: string, name: string): string | undefined {
  const [, value] = new RegExp(`\\b${name}=("(?:[^"\\\\]|\\\\.)*")`).exec(text) ?? [];
  if (value === undefined) return undefined;
  try {
    return String(JSON.parse(value));
  } catch {
    return value.slice(1, -1);
  }
}

function element(text: string, name: string): string | undefined {
  return new RegExp(`<${name}>\\n?([\\s\\S]*?)\\n?</${name}>`).exec(text)?.[1];
}
