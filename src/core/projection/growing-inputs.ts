// What calls are going to write, shown while their input arrives: the file first, then the text.
import { type ChatEvent, type Writing } from '../../shared/chat';
import { visibleText } from '../../shared/visible-text';
import { countLines, grow, lastChars, nothingWritten } from '../../shared/writing';
import { GrowingJson } from '../model/growing-json';
import { type AnyTool } from '../tool/tool';

export interface GrowingInputs {
  /** A call's block begins; nothing is followed of tools that write nothing. */
  started(blockId: string, toolUseId: string, tool: AnyTool | undefined): void;
  piece(blockId: string, json: string): ChatEvent[];
  /** The call is whole, or gone: what was shown of it until now. */
  over(toolUseId: string): Writing | undefined;
}

interface Growing {
  toolUseId: string;
  fields: NonNullable<AnyTool['liveInput']>;
  reader: GrowingJson;
  path: string;
  writing: Writing | undefined;
}

export function createGrowingInputs(shorten: (path: string) => string): GrowingInputs {
  const growing = new Map<string, Growing>();
  return {
    started(blockId, toolUseId, tool) {
      const fields = tool?.liveInput;
      if (fields === undefined) return;
      growing.set(blockId, {
        toolUseId,
        fields,
        reader: new GrowingJson(new Set(Object.values(fields))),
        path: '',
        writing: undefined,
      });
    },
    piece(blockId, json) {
      const call = growing.get(blockId);
      if (call === undefined) return [];
      const { toolUseId: id, fields } = call;
      return call.reader.accept(json).flatMap(({ field, text, whole }): ChatEvent[] => {
        if (field === fields.path) {
          call.path += text;
          if (!whole) return [];
          const now = `Writing ${visibleText(shorten(call.path))} …`;
          return [
            { type: 'tool', id, change: { sentence: { now, past: now }, writing: (call.writing ??= nothingWritten) } },
          ];
        }
        if (text === '') return [];
        const part = field === fields.removed ? 'removed' : 'added';
        const lines = countLines(text);
        const shown = lastChars(text);
        call.writing = grow(call.writing ?? nothingWritten, part, shown, lines);
        return [{ type: 'writing', id, part, text: shown, lines }];
      });
    },
    over(toolUseId) {
      for (const [blockId, call] of growing) {
        if (call.toolUseId !== toolUseId) continue;
        growing.delete(blockId);
        return call.writing;
      }
      return undefined;
    },
  };
}
