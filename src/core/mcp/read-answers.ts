// What servers send, as Deft takes it: wrong shapes are left out, long texts cut, and nothing of it is trusted.
import { headOf } from '../../shared/cut-text';
import { soundDeep, soundText } from '../../shared/sound-text';
import { type McpContent, type McpPrompt, type McpResource, type McpTool } from '../ports/mcp';
import { maxDescription, maxSchema, maxToolChars, maxToolDescription } from './limits';
import { isObject } from '../../shared/plain-object';

/** A list, without what cannot be used; `note` receives what was left out. */
export function readTools(raw: readonly unknown[], note: (line: string) => void): McpTool[] {
  const seen = new Set<string>();
  let room = maxToolChars;
  const without = (line: string): McpTool[] => {
    note(line);
    return [];
  };
  return raw.flatMap((value): McpTool[] => {
    if (!isObject(value) || typeof value['name'] !== 'string' || value['name'] === '')
      return without('A tool without a name was ignored.');
    const { name, title, description, annotations, _meta: meta } = value;
    if (seen.has(name)) return without(`The tool ${name} is listed twice: the first one is used.`);
    seen.add(name);
    const sent = isObject(value['inputSchema']) ? value['inputSchema'] : { type: 'object', properties: {} };
    const json = jsonOf(sent);
    if (json === undefined) return without(`The tool ${name} was ignored: its schema is nested too deeply.`);
    // JSON writes halves of surrogate pairs so, and nothing else but a text about them.
    const inputSchema = /\\ud[89a-f]/.test(json) ? (soundDeep(sent) as Record<string, unknown>) : sent;
    const size = json.length;
    if (size > maxSchema)
      return without(`The tool ${name} was ignored: its schema is larger than ${maxSchema} characters.`);
    room -= size;
    if (room < 0)
      return without(`The tool ${name} was ignored: the schemas before it already take ${maxToolChars} characters.`);
    const hints = isObject(annotations) ? annotations : {};
    return [
      {
        name,
        ...(typeof title === 'string' ? { title: headOf(soundText(title), 200) } : {}),
        description: cutText(typeof description === 'string' ? description : '', maxToolDescription),
        inputSchema,
        annotations: Object.fromEntries(
          ['readOnlyHint', 'destructiveHint', 'openWorldHint'].flatMap((hint) =>
            typeof hints[hint] === 'boolean' ? [[hint, hints[hint]]] : [],
          ),
        ),
        meta: isObject(meta) ? meta : {},
      },
    ];
  });
}

export function readPrompts(server: string, raw: readonly unknown[]): McpPrompt[] {
  return raw.flatMap((value) => {
    if (!isObject(value) || typeof value['name'] !== 'string' || value['name'] === '') return [];
    const wanted = Array.isArray(value['arguments']) ? value['arguments'].filter(isObject) : [];
    return [
      {
        server,
        name: value['name'],
        description: cutText(textOr(value['description'], textOr(value['title'], ''))),
        arguments: wanted.flatMap((one) =>
          typeof one['name'] === 'string'
            ? [
                {
                  name: one['name'],
                  description: cutText(textOr(one['description'], '')),
                  required: one['required'] === true,
                },
              ]
            : [],
        ),
      },
    ];
  });
}

export function readResources(server: string, raw: readonly unknown[]): McpResource[] {
  return raw.flatMap((value) => {
    if (!isObject(value) || typeof value['uri'] !== 'string') return [];
    const { uri, name, description, mimeType } = value;
    return [
      {
        server,
        uri,
        name: soundText(textOr(name, uri)),
        ...(typeof description === 'string' ? { description: cutText(description) } : {}),
        ...(typeof mimeType === 'string' ? { mimeType } : {}),
      },
    ];
  });
}

/** `content` of a call's result; a piece of an unknown kind is kept as its JSON. */
export function readContent(raw: unknown): McpContent[] {
  return (Array.isArray(raw) ? raw : []).map((value: unknown): McpContent => {
    if (isObject(value)) {
      const { type, text, data, mimeType, resource, uri, name, description } = value;
      if (type === 'text' && typeof text === 'string') return { type: 'text', text: soundText(text) };
      if ((type === 'image' || type === 'audio') && typeof data === 'string')
        return { type, data, mimeType: textOr(mimeType, type === 'image' ? 'image/png' : 'audio/wav') };
      if (type === 'resource' && isObject(resource)) return readEmbedded(resource);
      if (type === 'resource_link' && typeof uri === 'string')
        return {
          type: 'link',
          uri: soundText(uri),
          name: soundText(textOr(name, uri)),
          ...(typeof description === 'string' ? { description: soundText(description) } : {}),
        };
    }
    return { type: 'text', text: JSON.stringify(value) ?? '' };
  });
}

/** `contents` of a resource that was read, and the resource within a result. */
export function readEmbedded(resource: Readonly<Record<string, unknown>>): McpContent {
  const { uri, mimeType, text, blob, _meta: meta } = resource;
  return {
    type: 'resource',
    uri: soundText(textOr(uri, '')),
    ...(typeof mimeType === 'string' ? { mimeType } : {}),
    ...(typeof text === 'string' ? { text: soundText(text) } : {}),
    ...(typeof blob === 'string' ? { blob } : {}),
    ...(isObject(meta) ? { meta } : {}),
  };
}

/** What a server says about itself for the model. */
export function cutText(text: string, most = maxDescription): string {
  const sound = soundText(text);
  return sound.length <= most ? sound : `${headOf(sound, most - cutMark.length)}${cutMark}`;
}

/** Undefined where it is nested more deeply than can be written. */
function jsonOf(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const cutMark = '… [cut]';

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
