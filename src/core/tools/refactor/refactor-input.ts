// What Refactor is asked for.
import { z } from 'zod/v3';
import { type ToolSession, type ValidationResult } from '../../tool/tool';
import { checkFilePath } from '../files/file-path';

export const refactorInputSchema = z.strictObject({
  action: z.enum(['rename', 'organizeImports', 'format', 'applyFix']).describe('What to do'),
  filePath: z.string().optional().describe('The file; required except for applyFix'),
  lineContent: z.string().optional().describe('For rename: the line, or a part of it, in which symbol occurs once'),
  symbol: z.string().optional().describe('For rename: the present name'),
  newName: z.string().optional().describe('For rename: the new name'),
  id: z.string().optional().describe('For applyFix: the id of the fix'),
});
export type RefactorInput = z.infer<typeof refactorInputSchema>;
export type RefactorAction = RefactorInput['action'];

const needs: Readonly<Record<RefactorAction, readonly (keyof RefactorInput)[]>> = {
  rename: ['filePath', 'lineContent', 'symbol', 'newName'],
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
  return input.filePath === undefined || !needs[action].includes('filePath')
    ? { ok: true }
    : checkFilePath(input.filePath, session, 'filePath');
}
