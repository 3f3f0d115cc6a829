// What is wrong with the variables that steer requests and commands: a sentence each, the same in every host.
import { commandLimits } from './command-limits';
import { requestVariables, type Variables } from './request-variables';

export function variableProblems(environment: Variables): string[] {
  return [...requestVariables(environment).problems, ...commandLimits(environment).problems];
}
