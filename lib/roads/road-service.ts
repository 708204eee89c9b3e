import type { Position } from '../domain/postal/localities.ts';

/** A service that knows roads and addresses. Its calls reject if it does not answer in time. */
export interface RoadService {
  /** Minutes of driving from each place to each other one; `undefined` without a road. At most 500 places each. */
  drives(from: readonly Position[], to: readonly Position[]): Promise<(number | undefined)[][]>;
  /** Where an address is, for storage; `undefined` if the service knows no such street. */
  locate(address: string, near: Position | null): Promise<Position | undefined>;
}
