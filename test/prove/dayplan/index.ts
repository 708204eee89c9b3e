import { improveRoutes, searchSteps } from '../../../lib/domain/scheduling/routing/improve.ts';
import { randomDay } from '../../support/random/routing-problems.ts';
import { solveByEngine } from './engine.ts';
import { type Solved, solveByOthers } from './other-solvers.ts';
import { type SolomonInstance, distanceOf, solomonInstances } from './solomon.ts';

const SECONDS = 2;
/** Of 56 instances, as many need no more vehicles than the best known solutions, and with these go so much farther. */
const MIN_AS_BEST_KNOWN = 50;
const MAX_FARTHER = 0.03;
const MAX_DAY_SECONDS = 1;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function timed<Result>(work: () => Result): { readonly result: Result; readonly seconds: number } {
  const begun = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(begun);
  return { result, seconds: (user + system) / 1e6 };
}

/** A solution beside the best known one. */
interface Score {
  readonly instance: SolomonInstance;
  readonly vehicles: number;
  /** The part by which it is longer than the best known; undefined if it is no solution. */
  readonly farther: number | undefined;
  readonly seconds: number;
}

function scoreOf(instance: SolomonInstance, { routes, seconds }: Solved): Score {
  const distance = distanceOf(instance, routes);
  const farther = distance === undefined ? undefined : distance / instance.bestKnown.distance - 1;
  return { instance, vehicles: routes.length, farther, seconds };
}

const isAsBestKnown = ({ instance, vehicles, farther }: Score): boolean =>
  farther !== undefined && vehicles <= instance.bestKnown.vehicles;
const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
const meanFarther = (scores: readonly Score[]): number =>
  mean(scores.filter(isAsBestKnown).map(({ farther }) => farther ?? NaN));
const percent = (part: number): string => `${part < 0 ? '' : '+'}${(100 * part).toFixed(2)} %`;

/**
 * Solomon's 56 instances of 100 customers, or those whose names begin as the options say: our engine beside PyVRP and
 * VROOM, each with two seconds of processor time, as a table of how many need no more vehicles than the best known
 * solution, and how much farther these go. Then a day of 8 agents with 60 visits.
 */
export async function dayplan(options: readonly string[]): Promise<boolean> {
  const isAsked = (name: string): boolean => !options.length || options.some((each) => name.startsWith(each));
  const instances = solomonInstances().filter(({ name }) => isAsked(name));
  const ours = instances.map((instance) => {
    const { result, seconds } = timed(() => solveByEngine(instance));
    return { routes: result, seconds };
  });
  const others = await solveByOthers(instances, SECONDS);
  const solved = ours.map((each, index): Record<string, Solved> => ({ engine: each, ...others[index] }));
  const solvers = Object.keys(solved[0] ?? {});
  const scores = instances.map((instance, index) =>
    solvers.map((solver) => scoreOf(instance, solved[index]?.[solver] ?? { routes: [], seconds: 0 })),
  );
  printEach(solvers, scores);
  printTable(solvers, scores);
  const engine = scores.flatMap(([first]) => first ?? []);
  const isGood =
    engine.every(({ farther }) => farther !== undefined) &&
    (options.length > 0 ||
      (engine.filter(isAsBestKnown).length >= MIN_AS_BEST_KNOWN && meanFarther(engine) <= MAX_FARTHER));
  const isFast = planLargeDay();
  say(`dayplan: ${isGood && isFast ? 'as it must be' : 'FAILED'}`);
  return isGood && isFast;
}

function printEach(solvers: readonly string[], scores: readonly (readonly Score[])[]): void {
  for (const ofInstance of scores) {
    const [{ instance } = { instance: undefined }] = ofInstance;
    const results = ofInstance.map(
      ({ vehicles, farther, seconds }, index) =>
        `${solvers[index]} ${vehicles} ${farther === undefined ? 'NOT PERMITTED' : percent(farther)} ${seconds.toFixed(1)} s`,
    );
    say(`${instance?.name} ${instance?.bestKnown.vehicles} ${instance?.bestKnown.distance}: ${results.join(', ')}`);
  }
}

function printTable(solvers: readonly string[], scores: readonly (readonly Score[])[]): void {
  const row = (name: string, ofSolver: (scores: readonly Score[]) => string, of = scores): void =>
    say(`| ${[name, ...solvers.map((_, index) => ofSolver(of.flatMap((each) => each[index] ?? [])))].join(' | ')} |`);
  const cell = (each: readonly Score[]): string =>
    `${each.filter(isAsBestKnown).length} of ${each.length}, ${percent(meanFarther(each))}`;
  say(`| | ${solvers.join(' | ')} |`);
  say(`| --- ${'| --- '.repeat(solvers.length)}|`);
  const classes = new Set(scores.map(([first]) => first?.instance.class));
  for (const each of classes)
    row(
      String(each),
      cell,
      scores.filter(([first]) => first?.instance.class === each),
    );
  row('all', cell);
  row('seconds, mean', (each) => mean(each.map(({ seconds }) => seconds)).toFixed(1));
  row('seconds, most', (each) => Math.max(...each.map(({ seconds }) => seconds)).toFixed(1));
}

/** As many steps as a day plan takes, on a random day. */
function planLargeDay(): boolean {
  const { problem, start } = randomDay(1, { stops: 60, vehicles: 8 });
  const limits = { seed: 1, steps: searchSteps(problem), milliseconds: 60_000 };
  const { seconds } = timed(() => improveRoutes(problem, start, limits));
  say(`dayplan: 60 visits of 8 agents in ${seconds.toFixed(2)} s`);
  return seconds < MAX_DAY_SECONDS;
}
