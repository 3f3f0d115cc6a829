// What Refactor is asked for.
import { z } from 'zod/v3';
import { type ToolSession, type ValidationResult } from '../../tool/tool';
import { checkFilePath } from '../files/file-path';

export const refactorInputSchema = z.strictObject({
  action: z.enum(['rename', 'move', 'organizeImports', 'format', 'applyFix']).describe('What to do'),
  filePath: z.string().optional().describe('The file; not for move and applyFix'),
  lineContent: z.string().optional().describe('For rename: the line, or a part of it, in which symbol occurs once'),
  symbol: z.string().optional().describe('For rename: the present name'),
  newName: z.string().optional().describe('For rename: the new name'),
  from: z.string().optional().describe('For move: the file or folder'),
  to: z.string().optional().describe('For move: its new path, where nothing is yet'),
  id: z.string().optional().describe('For applyFix: the id of the fix'),
});
export type RefactorInput = z.infer<typeof refactorInputSchema>;
export type RefactorAction = RefactorInput['action'];

const needs: Readonly<Record<RefactorAction, readonly (keyof RefactorInput)[]>> = {
  rename: ['filePath', 'lineContent', 'symbol', 'newName'],
  move: ['from', 'to'],
  organizeImports: ['filePath'],
  format: ['filePath'],
  applyFix: ['id'],
};

export function validateRefactor(input: RefactorInput, session: Pick<ToolSession, 'home'>): ValidationResult {
  const { action, symbol, newName } = input;
  const missing = needs[action].filter((field) => (input[field] ?? '').trim() === '');
  if (missing.length > 0)
    return { ok: false, code: 'missing-input', message: `${action} needs ${missing.join(', ')}.` };
  if (action === 'rename' && symbol === newName)
    return {
      ok: false,
      code: 'same-name',
      message: 'newName is the name that the symbol has: there is nothing to change.',
    };
  for (const field of ['filePath', 'from', 'to'] as const) {
    const path = needs[action].includes(field) ? input[field] : undefined;
    const checked = path === undefined ? undefined : checkFilePath(path, session, field);
    if (checked?.ok === false) return checked;
  }
  return { ok: true };
}
