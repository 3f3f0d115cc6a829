// An accepted plan as hooks see it, and as they may replace it.
import { z } from 'zod/v3';
import { defined } from '../../../shared/defined';
import { hookOutput } from '../../tool/hook-output';
import { type ExitPlanModeOutput } from './plan-output';

const given = z.object({
  plan: z.string(),
  filePath: z.string().nullish(),
  /** What no other agent has: the user's changes, as a diff. */
  userChanges: z.string().nullish(),
});

export const planForHooks = hookOutput<unknown, ExitPlanModeOutput, z.infer<typeof given>>({
  shape: given,
  show: ({ data: { plan, filePath, mode, userChanges } }) => ({
    plan,
    isAgent: false,
    filePath,
    planWasEdited: userChanges !== undefined,
    mode,
    ...defined({ userChanges }),
  }),
  read({ plan, filePath, userChanges }, { data }, shown) {
    const { userChanges: _, ...own } = data;
    return {
      data: {
        ...own,
        plan,
        filePath: filePath ?? own.filePath,
        ...(plan === shown.plan ? {} : { changedByHook: true as const }),
        ...defined({ userChanges: userChanges ?? undefined }),
      },
    };
  },
});
