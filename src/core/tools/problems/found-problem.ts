// A problem as a checker's report has it: its path may be relative to where the checker ran.
import { type Diagnostic } from '../../ports/diagnostics';

export type FoundProblem = Omit<Diagnostic, 'cell'>;
