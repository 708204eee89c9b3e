import type { Finding } from '../findings.ts';
import { ReportedError, print } from './output.ts';

/** Prints what checks found, and ends with 1 if one of them is bad: `failure` says what that means. */
export function printFindings(
  found: readonly Finding[],
  { stage, json, failure }: { readonly stage: string; readonly json: boolean; readonly failure: string },
): void {
  print(
    {
      Stage: stage,
      Findings: found.map(({ name, isGood, message }) => ({ Check: name, Good: isGood, Message: message })),
    },
    {
      json,
      text: found
        .map(({ name, isGood, message }) => `${isGood ? 'good' : 'BAD '}  ${name.padEnd(14)}  ${message}`)
        .join('\n'),
    },
  );
  const obstacles = found.filter(({ isGood }) => !isGood).length;
  if (obstacles) throw new ReportedError(`${obstacles} of ${found.length} checks of ${stage} say that ${failure}.`);
}
