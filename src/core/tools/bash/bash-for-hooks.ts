// A command's result as hooks see it, and as they may replace it.
import { z } from 'zod/v3';
import { defined } from '../../../shared/defined';
import { hookOutput } from '../../tool/hook-output';
import { type BashOutput } from './bash-output';

const shape = z.object({
  stdout: z.string(),
  stderr: z.string().nullish(),
  interrupted: z.boolean().nullish(),
  isImage: z.boolean().nullish(),
});

export const bashForHooks = hookOutput<unknown, BashOutput, z.infer<typeof shape>>({
  shape,
  show: ({ data }) => ({
    stdout: data.stdout,
    stderr: data.stderr,
    interrupted: data.interrupted,
    isImage: data.isImage === true,
    ...defined({
      backgroundTaskId: data.backgroundTaskId,
      backgroundedByUser: data.backgroundedByUser,
      returnCodeInterpretation: data.returnCodeInterpretation,
    }),
  }),
  read: ({ stdout, stderr, interrupted, isImage }, { data }, shown) => {
    const { isImage: _, omittedBytes, notKept, ...own } = data;
    // Its file is overwritten then, so it no longer holds all of the output.
    const cut = (text: string): string =>
      stdout === shown.stdout ? text : text.replaceAll(`; all of it is in ${data.outputPath}`, '');
    return {
      data: {
        ...own,
        ...(stdout === shown.stdout
          ? defined({ omittedBytes, notKept })
          : { totalBytes: new TextEncoder().encode(stdout).length }),
        stdout: cut(stdout),
        stderr: cut(stderr ?? ''),
        interrupted: interrupted ?? own.interrupted,
        ...(isImage === true ? { isImage } : {}),
      },
    };
  },
  files(before, now) {
    // A command that continues still writes to it: what comes is for the hooks of those who read it.
    if (before.outputPath === '' || before.state === 'background' || before.stdout === now?.stdout) return [];
    return [{ path: before.outputPath, text: now?.stdout ?? '' }];
  },
});
