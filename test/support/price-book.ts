import type { PriceBook } from '../../lib/domain/pricebook/record.ts';
import type { BookInput } from '../../lib/domain/pricebook/record.ts';
import { type ReadyPriceBook, writePriceBook } from '../../lib/workflows/pricebook/import-price-book.ts';
import { testTable } from './stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

/** Writes entries of the price book of an account. */
export async function writeBook(
  accountId: string,
  input: BookInput,
  organizationId: number | null = null,
): Promise<ReadyPriceBook> {
  const owner = { organizationId, accountWide: true, now: new Date() };
  const answer = await writePriceBook(accountStore(testTable(), accountId), owner, input);
  if (answer.kind === 'invalid') throw new Error(JSON.stringify(answer.errors));
  return answer;
}

/** The id of a thing by its name. */
export const findId = (book: PriceBook, kind: keyof PriceBook, name: string): number =>
  [...book[kind].values()].find((record) => ('Name' in record ? record.Name : record.OptionName) === name)?.Id ?? 0;

/**
 * A book of 200 services with 5 bands, and 2,000 parts with 2 quantity prices; each service has 20 parts of its own.
 */
export const largeBook = (): BookInput => ({
  services: Array.from({ length: 200 }, (_, service) => ({
    Name: `Service ${service}`,
    Description: 'What is done, in which order, and what the customer is to have ready. '.repeat(4),
    PricingBands: Array.from({ length: 5 }, (__, band) => ({
      AtLeast: band * 10,
      LessThan: band * 10 + 10,
      Price: 20 - band,
    })),
    LimitedParts: Array.from({ length: 20 }, (__, part) => `Part ${(service * 20 + part) % 2_000}`),
  })),
  parts: Array.from({ length: 2_000 }, (_, part) => ({
    Name: `Part ${part}`,
    Category: `Category ${part % 20}`,
    UnitPrice: part / 4,
    QtyPricing: [
      { AtLeast: 10, LessThan: 100, Price: 5 },
      { AtLeast: 100, Price: 4 },
    ],
  })),
});
