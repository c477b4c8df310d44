pub mod gauge;
