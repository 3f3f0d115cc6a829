// What ExitPlanMode returns as data.
import { z } from 'zod/v3';
import { permissionModes } from '../../../shared/permission';

export const exitPlanModeSchema = z.object({
  /** As it was accepted. */
  plan: z.string(),
  filePath: z.string(),
  mode: z.enum(permissionModes),
  /** What the user changed, as a diff. */
  userChanges: z.string().optional(),
  /** It is another plan than the model gave. */
  changedByHook: z.literal(true).optional(),
});
export type ExitPlanModeOutput = z.infer<typeof exitPlanModeSchema>;
