import { UsageError } from '../output.ts';

const STEP = /\.([A-Za-z_]\w*)|\."([^"]+)"|\[(-?\d+)\]|\["([^"]+)"\]|(\[\])|\.(?=\[|$)/y;

/** `.Matches[].Id` as its steps: a name, an index, or `undefined` for every entry. */
function stepsOf(path: string): (string | number | undefined)[] {
  const steps: (string | number | undefined)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const found = STEP.exec(path);
    if (!found)
      throw new UsageError(
        `${JSON.stringify(path)} is no path. Write it like .Matches[].Id or .Slots[0].DateTime, and send the output to jq for filters.`,
      );
    const [, name, quoted, index, bracketed, every] = found;
    if (every) steps.push(undefined);
    else if (index !== undefined) steps.push(Number(index));
    else if (name ?? quoted ?? bracketed) steps.push(name ?? quoted ?? bracketed);
  }
  return steps;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** The values at a path of jq; what does not exist is null, as in jq. */
export function select(value: unknown, path: string): unknown[] {
  return stepsOf(path).reduce<unknown[]>(
    (values, step) =>
      values.flatMap((each) => {
        if (step === undefined) return isList(each) ? each : Object.values(each ?? {});
        if (typeof step === 'number') return [isList(each) ? (each.at(step) ?? null) : null];
        return [(each as Record<string, unknown> | null)?.[step] ?? null];
      }),
    [value],
  );
}
