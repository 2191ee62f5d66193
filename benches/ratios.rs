//! The budgets of `check`, `build` and `run`, each measured beside what it is measured against: `cargo bench --bench
//! ratios`. It prints a table and always ends well; people decide what a miss means. Processes are timed on the wall, the
//! rest by what its thread computes.

#[path = "support/configs.rs"]
mod configs;
#[path = "support/measure.rs"]
mod measure;
#[path = "ratios/parts.rs"]
mod parts;
#[path = "support/payloads.rs"]
mod payloads;
#[path = "ratios/processes.rs"]
mod processes;
#[path = "support/sandbox.rs"]
mod sandbox;
#[path = "ratios/sizes.rs"]
mod sizes;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if !std::env::args().any(|word| word == "--bench") {
        println!("nothing is measured without optimisation: run `cargo bench --bench ratios`");
        return Ok(());
    }
    let mut rows = processes::rows()?;
    rows.extend(sizes::rows());
    rows.extend(parts::rows()?);
    print!("{}", measure::table(&rows));
    if let Ok(load) = fs_err::read_to_string("/proc/loadavg") {
        println!("load of the machine at the end (figures of processes want a quiet one): {}", load.trim());
    }
    Ok(())
}
