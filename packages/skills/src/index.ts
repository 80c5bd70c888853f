export { type SkillFile } from "./render.ts";
export { createSkillFiles, type SkillFiles } from "./skill-files.ts";
