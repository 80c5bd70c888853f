export {
  presentJob,
  presentJobs,
  presentListedJob,
  presentResult,
  summariseJob,
  type Sign,
} from "./present.ts";
export { presentVerification } from "./present-verification.ts";
