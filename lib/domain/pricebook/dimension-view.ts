import type { Dimension } from '../../resources/dimensions.ts';
import type { DimensionRecord } from './records.ts';

/** The dimension as operations answer it. */
export const dimensionOf = ({ PartIds: _, ...dimension }: DimensionRecord): Dimension => dimension;

/** Whether a part has a dimension: it is one of its parts, or one of every part. */
export const hasDimension = ({ PartIds }: DimensionRecord, partId: number): boolean => PartIds.length === 0 || PartIds.includes(partId);
