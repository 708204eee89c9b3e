/** Who changes records by `fs import`: the name of the actor in their events. */
export const IMPORT_ACTOR = 'fs import';
