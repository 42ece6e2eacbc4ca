/** Checks the refusals that areas use against their declarations. */
import { GENERAL_PROBLEMS, kindOf, type ProblemKind } from '../base/problem.ts';
import { endpointsOf, type Area } from './area.ts';

/**
 * Checks that an area refuses with general kinds, its own, or those of an earlier area. To operations of earlier areas
 * it may add its own.
 * @throws Error that names the declaration
 */
export function checkProblems(areas: readonly Area[]): void {
  const known = new Set<ProblemKind>(Object.values(GENERAL_PROBLEMS));
  const operations = new Set<string>();
  for (const area of areas) {
    const { name, problems = {}, refuses = {}, constraints = {} } = area;
    for (const [operation, kinds] of Object.entries(refuses)) {
      if (!operations.has(operation)) throw new Error(`${name} refuses ${operation}, which no area before it has`);
      for (const kind of kinds)
        if (problems[kind.code] !== kind)
          throw new Error(`${name} refuses ${operation} with "${kind.code}", which it does not declare`);
    }
    for (const kind of Object.values(problems)) known.add(kind);
    const check = (what: string, kind: ProblemKind): void => {
      if (!known.has(kind))
        throw new Error(`${what} refuses with "${kind.code}", which neither ${name} nor an area before it declares`);
    };
    for (const { method, path, problems: own } of endpointsOf(area)) {
      operations.add(`${method} ${path}`);
      for (const one of own) check(`${method} ${path}`, kindOf(one));
    }
    for (const [constraint, refuse] of Object.entries(constraints))
      check(`The constraint ${constraint}`, refuse().kind);
  }
}
