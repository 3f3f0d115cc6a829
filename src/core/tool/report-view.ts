// How tools that tell what they have found out in lines show it: the lines, whose places open.
import { z } from 'zod/v3';
import { type ReportView } from '../../shared/tool-view';

/** Places that the lines name, each as it stands there. */
export const placesSchema = z.array(z.object({ shown: z.string(), path: z.string(), line: z.number() }));
export type Places = z.infer<typeof placesSchema>;

export function reportView(about: ReportView['about'], text: string, places: Places = []): ReportView {
  return { kind: 'report', about, text, places };
}
