import { type Fields, type Post, answerOf } from './post.ts';

/** What a program asks for: an operation, its filter, the list of its answer, and the page. */
export interface Query {
  readonly operation: string;
  readonly list: string;
  readonly filter?: Fields;
  readonly size?: 'Take' | 'Limit';
  readonly take: number;
}

/** Reads page after page until one is shorter than it asked for, and keeps what it has read. */
export async function readPages(post: Post, { operation, list, filter, size = 'Take', take }: Query) {
  const records: Fields[] = [];
  const counts = new Set<unknown>();
  for (let Skip = 0; ; Skip += take) {
    const answer = await answerOf(await post(operation, { ...filter, Skip, [size]: take, [list]: [] }));
    const page = answer[list] as Fields[];
    records.push(...page);
    counts.add(answer['Count']);
    if (page.length < take) return { records, counts: [...counts] };
  }
}
